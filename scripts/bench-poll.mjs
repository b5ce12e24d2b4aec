// npm run bench:poll -- [--rounds N] [--seconds N]: polls of the queue list compared with a bare reply, and 1,000
// pollers.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/poll-main.ts', ...process.argv.slice(2)], process.env);
