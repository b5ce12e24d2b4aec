export { RulesEntry } from './rules-entry.tsx';
