// npm run bench:load -- [--apis 1,2] [--browsers N] [--imports N] [--rows N] [--pushed N] [--products N] [--quiet S]:
// polls of many browsers with sessions of their own while imports run.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/load-main.ts', ...process.argv.slice(2)], process.env);
