// npm run bench:edits -- [--rounds N] [--small-only]: files with edits, uploaded again and re-read, compared with files
// without.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/edits-main.ts', ...process.argv.slice(2)], process.env);
