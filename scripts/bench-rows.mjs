// npm run bench:rows -- [--rows N] [--rounds N]: pages of a large import, by filter and search, compared with a bare
// select; the scanner's library, its look-ups, and adding its products to that import.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/rows-main.ts', ...process.argv.slice(2)], process.env);
