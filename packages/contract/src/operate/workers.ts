import { z } from 'zod';
import { route } from '../route.ts';

/** The workers without which full auto neither decides nor pushes. Screens poll it while they show such an import. */
export const getWorkers = route('getWorkers', {
  /** Push workers that are running. */
  reply: z.object({ pushWorkers: z.number().int().min(0) }),
});
