package app

var Contrast = contrast
