/** Before there is a photo. */
export const intake = {
  'intake.title': 'What does your photo give\u00a0away?',
  'intake.lead':
    'See the metadata and the faces it carries, choose what to hide, and get back a clean file with proof.',
  'intake.resume': 'Back to your photos',
  'intake.choose': 'Choose photos',
  'intake.folder': 'Folder',
  'intake.photos': 'Photos',
  'intake.or': 'or',
  'intake.aFolder': 'a folder',
  'intake.drop': ', or drop them anywhere, or paste one',
  'intake.example': 'Try an example',
  'intake.install': 'Install this page, to have it without a network',
  'intake.veil': 'Drop the photos',
  'promise.reverse': 'No detail left',
  'promise.reverseText': 'Short text and numbers in blocks can still be guessed: cover them in black.',
  'promise.trust': 'Not taken on trust',
  'promise.trustText': 'The new file is scanned before you get it, and you see what the scan found.',
  'footer.check': 'How to check',
  'footer.checkText':
    'Open this page, cut the network, and clean a photo: it works, since nothing is sent. Or watch the network panel of your browser. Read the new file with another program, such as exiftool.',
  'footer.privacy': 'Privacy',
  'footer.privacyText':
    'While photos are cleaned on this device, nothing of them is sent or kept. This browser keeps your settings, your language and the files of this page, and no cookies. If you choose the service, photos are sent to it, held in memory for one request, and neither stored nor logged.',
  'footer.licence': 'Licences',
} as const;
