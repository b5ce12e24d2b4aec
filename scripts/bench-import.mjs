// npm run bench:import -- [--rows N] [--rounds N] [--workers N]: whole imports beside a bare COPY of the finished rows.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/import-main.ts', ...process.argv.slice(2)], process.env);
