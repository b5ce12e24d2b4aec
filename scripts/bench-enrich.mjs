// npm run bench:enrich -- [--rows N] [--rounds N]: taking cached answers, and pages with found values, compared with
// SQL.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/enrich-main.ts', ...process.argv.slice(2)], process.env);
