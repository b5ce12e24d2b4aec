import { applyRules } from '@draftshelf/contract/rules';
import { call } from './call.ts';

/** Applies the saved rules to an import, in the background. */
export const applyRulesTo = (id: string) => call(applyRules, { params: { id } });
