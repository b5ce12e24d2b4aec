/**
 * File names of imports whose push is being undone, by id, until the end has been told: those that this tab has started
 * or seen.
 */
export const undosUnderWay = new Map<string, string>();
