// npm run bench:preview -- [--rounds N]: the preview of a 50 MB file in Chromium compared with the same reader in Node.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/preview-main.ts', ...process.argv.slice(2)], process.env);
