// npm run bench:workbooks -- --dir DIR [--truth [DIR]] [--reader DIR]: how many cells of workbooks are read right.
// --pictures N [--bytes BYTES]: what an archive of so many pictures takes.
// --polls ROWS: how polls are answered while a sheet of so many rows is converted.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/bench/workbooks-main.ts', ...process.argv.slice(2)], process.env);
