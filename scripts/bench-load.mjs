// npm run bench:load -- [--apis 1,2] [--browsers N] [--imports N] [--rows N] [--pushed N] [--products N] [--arrive S]
// [--steady S]: many browsers with sessions of their own open a screen and poll, without and with imports under way.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/load-main.ts', ...process.argv.slice(2)], process.env);
