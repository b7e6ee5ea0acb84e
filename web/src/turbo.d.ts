// The part of Turbo this page uses; the package has no types.
declare module '@hotwired/turbo' {
  export const config: { drive: { progressBarDelay: number }; forms: { submitter: 'disabled' | 'aria-disabled' } };
  export const session: { drive: boolean };
  export const StreamActions: Record<string, (this: HTMLElement) => void>;
}
