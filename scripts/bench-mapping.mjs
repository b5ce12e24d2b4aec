// npm run bench:mapping -- [--failing] [--dir DIR]: how many columns of files with known answers are mapped right.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/mapping-main.ts', ...process.argv.slice(2)], process.env);
