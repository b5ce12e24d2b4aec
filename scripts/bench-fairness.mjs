// npm run bench:fairness -- [--rows N] [--products N] [--edits N] [--part import,push,calls]: what waits behind a large
// import.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/fairness-main.ts', ...process.argv.slice(2)], process.env);
