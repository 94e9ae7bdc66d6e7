/** A PDF document of two pages, with a title. */
const TEXT = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 2 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>
endobj
4 0 obj
<< /Length 54 >>
stream
BT /F1 18 Tf 20 40 Td (Harbour) Tj ET 10 10 50 20 re f
endstream
endobj
5 0 obj
<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
endobj
6 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>
endobj
7 0 obj
<< /Title (Chart of the harbour) >>
endobj
xref
0 8
0000000000 65535 f 
0000000009 00000 n 
0000000058 00000 n 
0000000121 00000 n 
0000000247 00000 n 
0000000351 00000 n 
0000000421 00000 n 
0000000547 00000 n 
trailer
<< /Size 8 /Root 1 0 R /Info 7 0 R >>
startxref
598
%%EOF
`;

export const chartPdf = new TextEncoder().encode(TEXT);
