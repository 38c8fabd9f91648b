import '../lib/tokens.css';
import '../lib/base.css';
import '../lib/language';
import { mount } from 'svelte';
import Specimen from './Specimen.svelte';

const query = new URLSearchParams(location.search);
const theme = query.get('theme');
if (theme) document.documentElement.dataset['theme'] = theme;
mount(Specimen, { target: document.getElementById('page')!, props: { show: query.get('show') ?? '' } });
