// npm run simulate -- [--seeds N] [--from S] [--scenario N] [--processes N] [--trace] [--put-back FAULT]: pushes and
// undos in the orders and with the faults of N seeds; the first seed that ends wrong is said with what happened.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/faults/simulation/simulate-main.ts', ...process.argv.slice(2)], process.env);
