// npm run bench:edits -- [--rounds N] [--small-only]: files with edits, uploaded and read again, beside those without.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/edits-main.ts', ...process.argv.slice(2)], process.env);
