// npm run bench:proposals -- [--rows N] [--rounds N]: 2,000 proposals taken by one command and taken back, in a large
// import.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/proposals-main.ts', ...process.argv.slice(2)], process.env);
