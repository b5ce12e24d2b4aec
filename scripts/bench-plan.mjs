// npm run bench:plan -- [--products N] [--pushed N] [--rounds N] [--plan standard|plus|enterprise]: what a plan of a
// push takes, what others wait meanwhile, and the pages and choices of a plan with as many products.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/plan-main.ts', ...process.argv.slice(2)], process.env);
