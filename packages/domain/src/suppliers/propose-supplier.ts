/** What lists of a supplier have in common. */
export type SupplierSign = {
  kind: 'layout' | 'folder' | 'filename' | 'vendor' | 'gtin-prefix';
  value: string;
};

/** Whether a list is this supplier's, whose items `known` of `sampled` rows are. Only the operator can tell. */
export type SupplierQuestion = { supplier: number; known: number; sampled: number };
