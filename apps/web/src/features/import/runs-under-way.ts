/** A run that carries a preview out: the undo of a push, or a change of products that are no longer listed. */
export type CarryingOut = { filename: string; isAboutGone: boolean };

/** By import id, runs that carry a preview out and that this tab has started or seen, until their end is reported. */
export const runsUnderWay = new Map<string, CarryingOut>();
