// npm run bench:plan -- [--products N] [--pushed N] [--plan standard|plus|enterprise]: what a plan of a push takes.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/plan-main.ts', ...process.argv.slice(2)], process.env);
