// The sprite of the HTML drawing: the 48 icon names every A2UI version knows
// (facts of the v0.8 catalog), each drawn by an icon of @mdi/js.
import * as mdi from '@mdi/js';

const names = {
  accountCircle: 'mdiAccountCircle', add: 'mdiPlus', arrowBack: 'mdiArrowLeft', arrowForward: 'mdiArrowRight', attachFile: 'mdiPaperclip',
  calendarToday: 'mdiCalendarToday', call: 'mdiPhone', camera: 'mdiCamera', check: 'mdiCheck', close: 'mdiClose', delete: 'mdiDelete',
  download: 'mdiDownload', edit: 'mdiPencil', event: 'mdiCalendar', error: 'mdiAlertCircle', favorite: 'mdiHeart', favoriteOff: 'mdiHeartOutline',
  folder: 'mdiFolder', help: 'mdiHelpCircle', home: 'mdiHome', info: 'mdiInformation', locationOn: 'mdiMapMarker', lock: 'mdiLock',
  lockOpen: 'mdiLockOpen', mail: 'mdiEmail', menu: 'mdiMenu', moreVert: 'mdiDotsVertical', moreHoriz: 'mdiDotsHorizontal',
  notificationsOff: 'mdiBellOff', notifications: 'mdiBell', payment: 'mdiCreditCard', person: 'mdiAccount', phone: 'mdiPhone', photo: 'mdiImage',
  print: 'mdiPrinter', refresh: 'mdiRefresh', search: 'mdiMagnify', send: 'mdiSend', settings: 'mdiCog', share: 'mdiShareVariant',
  shoppingCart: 'mdiCart', star: 'mdiStar', starHalf: 'mdiStarHalfFull', starOff: 'mdiStarOutline', upload: 'mdiUpload', visibility: 'mdiEye',
  visibilityOff: 'mdiEyeOff', warning: 'mdiAlert',
};

/** The sprite as one SVG document: <use href="/assets/icons.svg#name">. */
export function sprite() {
  const symbols = Object.entries(names).map(([name, from]) => {
    if (!mdi[from]) throw new Error(`@mdi/js has no ${from} for ${name}`);
    return `<symbol id="${name}" viewBox="0 0 24 24"><path d="${mdi[from]}"/></symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join('')}</svg>\n`;
}
