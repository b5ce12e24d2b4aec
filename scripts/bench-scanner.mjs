// npm run bench:scanner -- [--products N] [--rounds N]: what an operator of the scanner waits for, in a real browser.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/scanner-main.ts', ...process.argv.slice(2)], process.env);
