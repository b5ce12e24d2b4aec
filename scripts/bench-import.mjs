// npm run bench:import -- [--rows N] [--rounds N]: a whole import compared with a bare COPY of the same finished rows.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/import-main.ts', ...process.argv.slice(2)], process.env);
