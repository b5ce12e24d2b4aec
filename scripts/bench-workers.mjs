// npm run bench:workers -- [--rows N] [--rounds N] [--workers 1,2,4] [--cores N]: parse workers that are each held to a
// part of a core. Takes root, and cgroups of either version.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/workers-main.ts', ...process.argv.slice(2)], process.env);
