// npm run bench:retention -- [--rows N] [--cycles N] [--cycle-rows N]: removing the rows of a large import beside
// polls, and the size of the database after many imports that were deleted.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/retention-main.ts', ...process.argv.slice(2)], process.env);
