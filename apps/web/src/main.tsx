// Must come first: schemas are created while the modules that define them load.
import './jitless.ts';
import { start } from './shell/start.tsx';

start(document.getElementById('root'));
