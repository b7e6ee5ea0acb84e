import { stylesAdopted } from './policy.js';

stylesAdopted();
