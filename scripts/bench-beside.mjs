// npm run bench:beside -- [--rows N] [--imports N] [--uploads N]: edits of single cells beside imports and uploads.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/beside-main.ts', ...process.argv.slice(2)], process.env);
