/** Before there is a photo. */
export const intake = {
  'intake.title': 'What does your photo give\u00a0away?',
  'intake.lead':
    'See what it says about places, times and people. Choose what to hide, and get back a clean copy, with proof.',
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
  'promise.reverse': 'Hidden means gone',
  'promise.reverseText':
    'Nothing of the photo is left under black. Short text and numbers under blocks can still be guessed: cover them in black.',
  'promise.trust': 'Not taken on trust',
  'promise.trustText': 'The new file is scanned before you get it, and you see what the scan found.',
  'footer.check': 'How to check',
  'footer.privacy': 'Privacy',
  'footer.licence': 'Licences',
} as const;
