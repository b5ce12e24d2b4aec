// npm run bench:audit -- [--products N] [--dead N]: an audit of pushed products, and a page of dead work.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/audit-main.ts', ...process.argv.slice(2)], process.env);
