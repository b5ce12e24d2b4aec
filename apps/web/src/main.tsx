// Must come first: schemas are created while the modules that define them load.
import './jitless.ts';
import { start } from './app/start.tsx';

start(document.getElementById('root'));
