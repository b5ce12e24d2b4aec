// npm run bench:review -- [--rows N] [--searched N] [--rounds N]: what an operator waits for on the page of an import.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/review-main.ts', ...process.argv.slice(2)], process.env);
