// npm run fuzz:workbooks -- [MINUTES] [SEED]: feeds the reader of workbooks with broken files.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['scripts/fuzz-workbooks.ts', ...process.argv.slice(2)], process.env);
