export type Signal = 'read' | 'known' | 'refused';

const tones: Record<Signal, { hz: number; ms: number }> = {
  read: { hz: 1_760, ms: 90 },
  known: { hz: 1_175, ms: 160 },
  refused: { hz: 330, ms: 240 },
};

let audio: AudioContext | undefined;

/** Browsers allow sound only while a click or key is handled, as on *Scan*. */
export function prepareSound(): void {
  if (typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  if (audio.state !== 'running') audio.resume().catch(() => {});
}

export function give(signal: Signal): void {
  const { hz, ms } = tones[signal];
  navigator.vibrate?.(ms);
  if (audio?.state !== 'running') return;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  const endS = audio.currentTime + ms / 1_000;
  tone.frequency.value = hz;
  volume.gain.setValueAtTime(0.2, audio.currentTime);
  // An abrupt end would click.
  volume.gain.exponentialRampToValueAtTime(0.001, endS);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(endS);
}
