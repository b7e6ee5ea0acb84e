import { styleByObject } from './policy.js';

styleByObject();
