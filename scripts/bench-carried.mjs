// npm run bench:carried -- [--rows N] [--values N] [--rounds N]: an import with and without values carried into it.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/carried-main.ts', ...process.argv.slice(2)], process.env);
