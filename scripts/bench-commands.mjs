// npm run bench:commands -- [--rows N] [--search TEXT]: a change of all rows of an import, or of those that a search
// finds, its undo and redo, what others wait, and how much the worker grows.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/commands-main.ts', ...process.argv.slice(2)], process.env);
