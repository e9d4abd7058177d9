import { inputFormatNames } from '../../../vocabulary/format_names.ts';

/** Where photos are cleaned. */
export const service = {
  'sheet.label': 'Where photos are cleaned',
  'sheet.use': 'Use the service',
  'key.label': 'API key',
  'key.use': 'Use key',
  'key.forget': 'Forget key',
  'key.keep': 'Keep it until this tab is closed',
  'key.note':
    'A key allows more calls a minute. It stays in this page’s memory and goes nowhere but to this service.',
  'key.asking': 'Asking the service about this key…',
  'key.inUse': {
    one: 'In use: {plan} plan, {limit} calls a minute. This month: {count} call, {cost}.',
    other: 'In use: {plan} plan, {limit} calls a minute. This month: {count} calls, {cost}.',
  },
  'key.kept': 'In use: the key kept in this tab.',
  'rate.wait': 'Next call in {seconds} s',
  'rate.none': 'Without a key: 1 free call a minute',
  'rate.keyed': 'With your key',
  'rate.left': '{plan} plan: {left} of {limit} calls left',
  'rate.now': 'The next call is possible now.',
  'device.status': 'Photos stay on this device',
  'device.promise':
    'Your photo stays on this device. This page looks at it and cleans it here, in your browser.',
  'device.offer': 'Photos stay on this device now. With the service, each is sent there to be cleaned.',
  'device.formats': `${inputFormatNames('or')}, up to 64\u00a0MB and 50\u00a0megapixels each`,
  'device.clean': 'Cleaned on this device. Nothing is sent.',
  'device.worked': 'Done on this device in {duration}. Nothing was sent.',
  'service.status': '',
  'service.promise':
    'Your photo will be sent to this service to be cleaned, held in memory for one request, and neither stored nor logged.',
  'service.offer': 'Photos are sent to this service now. Switch it off to keep them on this device.',
  'service.formats': `${inputFormatNames('or')}, up to 25\u00a0MB and 50\u00a0megapixels each`,
  'service.clean': 'The photo is sent to the service, and not stored there.',
  'service.worked': 'Done by the service in {duration}.',
} as const;
