// npm run bench:push -- [--plan standard,plus,enterprise] [--workers 1,4] [--latency 300,1000] [--products N] [--part
// push,clients]: how fast a push is.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/push-main.ts', ...process.argv.slice(2)], process.env);
