// npm run setup: installs the dependencies, and starts nothing.
import { bootstrap } from './bootstrap.mjs';

bootstrap();
