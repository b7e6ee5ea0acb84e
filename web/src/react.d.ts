// React has no types of its own.
declare module 'react';
declare module 'react-dom/client';
