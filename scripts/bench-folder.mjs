// npm run bench:folder -- [--files N] [--rounds N]: looks at a local folder with many files.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/folder-main.ts', ...process.argv.slice(2)], process.env);
