// npm run bench:commands -- [--rows N]: one change of all rows of an import, its undo and redo, and what others wait.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/commands-main.ts', ...process.argv.slice(2)], process.env);
