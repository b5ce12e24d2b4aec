// npm run bench:suppliers -- [--rows N] [--rounds N]: a list compared with its supplier's items, and counted.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/suppliers-main.ts', ...process.argv.slice(2)], process.env);
