export { applyRulesTo } from './rules-api.ts';
export { RulesEntry } from './rules-entry.tsx';
