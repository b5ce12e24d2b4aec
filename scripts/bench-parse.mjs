// npm run bench:parse -- [--rows N] [--rounds N]: the reader compared with three other parsers, in the same run.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['scripts/bench-parse-main.ts', ...process.argv.slice(2)], process.env);
