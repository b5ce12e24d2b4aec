import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { CallError, messageOf } from '../../../api/call.ts';
import { newId } from '../../../lib/new-id.ts';
import { useToast } from '../../../ui/feedback/toast.tsx';
import { blobOfDataUrl } from '../photos/prepare-photo.ts';
import { sendPhoto } from '../photos-api.ts';
import type { Prefill } from '../scan/prefill.ts';
import { changedMeanwhile, refusedField, type ShownScanned, useScannedSave } from '../scanner-api.ts';
import { type BegunScan, codeAsSku, fillByScan, fillLater, undoScan } from './scan-fill.ts';
import {
  type DraftField,
  type DraftPhoto,
  editedOf,
  inputOf,
  isIncomplete,
  isSameContent,
  type Problems,
  placeOf,
  problemsOf,
} from './scanned-draft.ts';

export type ScannedForm = ReturnType<typeof useScannedForm>;

/** `isGone`: the product was deleted meanwhile. */
export type SaveFailure = { error: Error; isGone: boolean };

const words = {
  create: {
    done: ['Product Saved', 'Product has been saved successfully'],
    failed: 'Save Failed',
    instead: 'Failed to save product',
  },
  update: {
    done: ['Product Updated', 'Product has been updated successfully'],
    failed: 'Update Failed',
    instead: 'Failed to update product',
  },
} as const;

/** Edits a product of the library, or a new one. `onSaved` gets the id; it is not called if the form has gone. */
export function useScannedForm(product: ShownScanned | null, onSaved: (id: string) => void) {
  const [base, setBase] = useState(product);
  const [opened, setOpened] = useState(() => editedOf(product));
  const [edited, setEdited] = useState(opened);
  const [problems, setProblems] = useState<Problems>({});
  const [photoProblems, setPhotoProblems] = useState<Readonly<Record<number, string>>>({});
  const [conflict, setConflict] = useState<ShownScanned | null>(null);
  const [failure, setFailure] = useState<SaveFailure | null>(null);
  // Kept when a save fails: its answer may be lost, and a repeated save is then the same product.
  const [ownId, setOwnId] = useState(newId);
  const [isSaving, setIsSaving] = useState(false);
  const [saved, setSaved] = useState<string | null>(null);
  const running = useRef(false);
  const nextKey = useRef(edited.photos.length);
  const mutation = useScannedSave();
  const toast = useToast();
  const latest = useRef(edited);
  useEffect(() => {
    latest.current = edited;
  }, [edited]);
  useRevokedUrls(edited.photos);
  // Not at once: the guard against leaving has to see first that nothing is unsaved.
  const leave = useEffectEvent(onSaved);
  useEffect(() => {
    if (saved !== null) leave(saved);
  }, [saved]);

  const refuse = (error: Error) => {
    const theirs = changedMeanwhile(error);
    if (theirs !== null) return setConflict(theirs);
    const place = placeOf(refusedField(error));
    const sentence = (error instanceof CallError && error.serverMessage) || error.message;
    if (place !== null && 'field' in place) {
      setProblems((now) => ({ ...now, [place.field]: sentence }));
      focusField(place.field);
      return;
    }
    const photo = place === null ? undefined : edited.photos[place.photo];
    if (photo !== undefined) return setPhotoProblems((now) => ({ ...now, [photo.key]: sentence }));
    const isGone = error instanceof CallError && (error.status === 404 || error.status === 410);
    if (isGone) {
      setConflict(null);
      setBase(null);
      setOwnId(newId());
    }
    setFailure({ error, isGone });
  };
  /** `onto`: the stored product that the save is based on; null: there is none. */
  const send = async (onto: ShownScanned | null) => {
    const { done, failed, instead } = onto === null ? words.create : words.update;
    try {
      const photos = await withAddresses(edited.photos);
      setEdited((now) => ({ ...now, photos: withKnownAddresses(now.photos, photos) }));
      const input = inputOf(
        edited.draft,
        photos.map(({ address, src }) => address ?? src),
      );
      const reply = await mutation.mutateAsync({
        id: onto?.id ?? ownId,
        isNew: onto === null,
        version: onto?.version ?? null,
        input,
      });
      toast({ title: done[0], text: done[1] });
      setConflict(null);
      if (isSameContent(latest.current, edited)) return setSaved(reply.id);
      // Something was entered during the save. The form stays for it.
      setBase(reply);
      setOpened(edited);
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause));
      // The panel of a conflict says why.
      const text =
        changedMeanwhile(error) === null ? messageOf(error, instead) : 'Choose which values to keep.';
      toast({ title: failed, text, tone: 'failure' });
      refuse(error);
    }
  };
  const save = async (onto: ShownScanned | null = base) => {
    if (running.current) return;
    const found = problemsOf(edited.draft);
    setProblems(found);
    setPhotoProblems({});
    setFailure(null);
    if (isIncomplete(edited.draft)) {
      toast({
        title: 'Missing Required Fields',
        text: 'Please fill in name, SKU, and price',
        tone: 'failure',
      });
    }
    const [first] = Object.keys(found);
    if (first !== undefined) return focusField(first as DraftField);
    // A second click comes before the next render.
    running.current = true;
    setIsSaving(true);
    await send(onto);
    running.current = false;
    setIsSaving(false);
  };
  const set = (field: DraftField, value: string) => {
    setEdited(({ sources: { [field]: _found, ...sources }, draft, ...others }) => ({
      ...others,
      draft: { ...draft, [field]: value },
      sources,
    }));
    setProblems(({ [field]: _solved, ...others }) => others);
  };
  const photosAt = (addresses: readonly string[]): DraftPhoto[] =>
    addresses.map((address) => ({ key: nextKey.current++, src: address, address }));
  return {
    /** The product's id in the library; undefined until it is saved. */
    id: base?.id,
    isNew: base === null,
    /** The imports that have the product. */
    batches: base?.batches ?? [],
    draft: edited.draft,
    photos: edited.photos,
    sources: edited.sources,
    problems,
    photoProblems,
    isDirty: saved === null && !isSameContent(edited, opened),
    isSaving,
    failure,
    conflict,
    /** The latest scan that has filled the form, and is not undone; null: none. */
    latestScan: edited.scans.at(-1) ?? null,
    set,
    /** Takes a scanned code, and what is known about it into fields that are empty. */
    fill(scan: BegunScan, prefill: Prefill) {
      const photos = photosAt(prefill.photos);
      setEdited((now) => fillByScan(now, scan, prefill, photos));
      setProblems({});
    },
    /** Takes what a source has answered later about the scan with this id. */
    fillLater(id: string, prefill: Prefill) {
      const photos = photosAt(prefill.photos);
      setEdited((now) => fillLater(now, id, prefill, photos));
      setProblems({});
    },
    putCodeIntoSku() {
      setEdited(codeAsSku);
      setProblems(({ sku: _solved, ...others }) => others);
      focusFieldOrTitle('sku');
    },
    undoScan() {
      setEdited(undoScan);
      setProblems({});
      focusFieldOrTitle('upc');
    },
    addPhoto(photo: Omit<DraftPhoto, 'key'>) {
      const key = nextKey.current++;
      setEdited((now) => ({ ...now, photos: [...now.photos, { ...photo, key }] }));
    },
    removePhoto: (key: number) =>
      setEdited((now) => ({ ...now, photos: now.photos.filter((one) => one.key !== key) })),
    save: () => void save(),
    saveOver() {
      if (conflict === null) return;
      // A new product that was stored by a call without an answer is changed from now on.
      setBase(conflict);
      void save(conflict);
    },
    takeTheirs() {
      if (conflict === null) return;
      const theirs = editedOf(conflict);
      setBase(conflict);
      setOpened(theirs);
      setEdited(theirs);
      setConflict(null);
      setFailure(null);
      nextKey.current = theirs.photos.length;
      focusFieldOrTitle('name');
    },
  };
}

/** Sends the photos that have no address yet. One that cannot be sent keeps its data URL, which the save contains. */
async function withAddresses(photos: readonly DraftPhoto[]): Promise<DraftPhoto[]> {
  const sent: DraftPhoto[] = [];
  for (const photo of photos) {
    const address = photo.address ?? (await sendPhoto(blobOfDataUrl(photo.src)).catch(() => null));
    sent.push({ ...photo, address });
  }
  return sent;
}

/** The photos with the addresses that some of them have got, so that the next try does not send them again. */
function withKnownAddresses(photos: readonly DraftPhoto[], sent: readonly DraftPhoto[]): DraftPhoto[] {
  return photos.map((photo) => sent.find(({ key }) => key === photo.key) ?? photo);
}

function focusField(field: DraftField): void {
  document.getElementById(inputId(field))?.focus();
}

/** With a mouse the field is ready for typing. On touch screens a focused field would open the keyboard. */
export function focusFieldOrTitle(name: DraftField): void {
  const field = matchMedia('(pointer: fine)').matches ? document.getElementById(inputId(name)) : null;
  (field ?? document.querySelector('h1'))?.focus({ preventScroll: true });
}

export function inputId(field: DraftField): string {
  return `scanned-${field}`;
}

/** Releases the files behind the addresses of photos that are removed, and of all when the form closes. */
function useRevokedUrls(photos: readonly DraftPhoto[]): void {
  const latest = useRef(photos);
  useEffect(() => {
    revoke(latest.current.filter(({ src }) => photos.every((one) => one.src !== src)));
    latest.current = photos;
  }, [photos]);
  useEffect(() => () => revoke(latest.current), []);
}

function revoke(photos: readonly DraftPhoto[]): void {
  for (const { src } of photos) if (src.startsWith('blob:')) URL.revokeObjectURL(src);
}
