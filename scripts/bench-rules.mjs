// npm run bench:rules -- [--rows N] [--rounds N]: applying 100 rules to an import, compared with reading its rows.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/rules-main.ts', ...process.argv.slice(2)], process.env);
