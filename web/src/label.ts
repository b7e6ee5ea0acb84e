// The v0.9 renderer draws the label of an input beside it without tying the two
// together. This ties them, so that the input has a name for screen readers and
// a click on the label reaches it. The renderer does not touch these attributes.

let count = 0;

/** Names the controls below root, now and whenever it changes. */
export function name(root: ShadowRoot): void {
  const tie = (): void => {
    for (const icon of root.querySelectorAll('.material-icons')) { // what is beside it looks like an error, a warning, or what was done
      const tone = icon.textContent ?? '';
      if (tone === 'error' || tone === 'warning' || tone === 'check') icon.closest('a2ui-basic-row')?.setAttribute('data-tone', tone);
    }
    for (const element of root.querySelectorAll('a2ui-basic-textfield, a2ui-datetimeinput, a2ui-slider, a2ui-choicepicker')) {
      const label = element.querySelector<HTMLLabelElement>(':scope > label, :scope > * > label:not(:has(input))');
      if (!label) continue;
      const controls = [...element.querySelectorAll<HTMLInputElement>('input, textarea, select')].filter((c) => c.closest('label') === null);
      const grouped = element.localName === 'a2ui-choicepicker';
      if (grouped) {
        label.id ||= `limn-label-${++count}`;
        element.setAttribute('role', 'group');
        element.setAttribute('aria-labelledby', label.id);
      } else if (controls.length === 1 && controls[0]) {
        controls[0].id ||= `limn-input-${++count}`;
        label.htmlFor = controls[0].id;
      } else {
        for (const control of controls) {
          const text = `${label.textContent ?? ''} (${control.type})`;
          if (control.getAttribute('aria-label') !== text) control.setAttribute('aria-label', text);
        }
      }
      const error = element.querySelector<HTMLElement>('.error');
      for (const control of controls) {
        if (error) {
          error.id ||= `limn-error-${++count}`;
          control.setAttribute('aria-invalid', 'true');
          control.setAttribute('aria-describedby', error.id);
        } else if (control.hasAttribute('aria-invalid')) {
          control.removeAttribute('aria-invalid');
          control.removeAttribute('aria-describedby');
        }
      }
    }
  };
  tie();
  new MutationObserver(tie).observe(root, { childList: true, subtree: true, characterData: true });
}
