// npm run bench:texts -- [--imports N] [--rows N]: the cost of storing the search texts of a million rows, and the
// palette's search over many imports whose texts are filled in directly.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/texts-main.ts', ...process.argv.slice(2)], process.env);
