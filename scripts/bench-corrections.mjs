// npm run bench:corrections -- [--rows N] [--corrected N]: corrections of many rows of an import, compared and applied.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/corrections-main.ts', ...process.argv.slice(2)], process.env);
